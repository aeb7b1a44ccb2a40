// Search by Meaning: results while a person types, with filters by prefix and the queries asked last.

import * as path from "node:path";
import * as vscode from "vscode";

import type { Access } from "./pilotfish.ts";
import { parseQuery } from "./query_prefix.ts";
import { notAsked, picksOf, remark } from "./result_picks.ts";
import { connectPlaces, failureOf, itemOf, type PlaceItem } from "./result_picker.ts";
import { withoutIcons } from "./shown_text.ts";

const PAUSE_MS = 150;
const MOST_RESULTS = 30;
const MOST_RECENT = 20;
const RECENT_KEY = "recentQueries";

export class SearchPicker {
  readonly #pilotfish: Access;
  readonly #memory: vscode.Memento;

  constructor(pilotfish: Access, memory: vscode.Memento) {
    this.#pilotfish = pilotfish;
    this.#memory = memory;
  }

  /** Open the picker at once, whether there is a server or not yet: the person types on. */
  show(): void {
    const canBeAsked = this.#pilotfish.canBeAsked();
    const pick = vscode.window.createQuickPick<PlaceItem>();
    pick.title = "Search by Meaning";
    pick.placeholder = "Ask in words, or by name. Filters: lang:python path:src kind:function tests:only by:text max:50";
    pick.keepScrollPosition = true;
    keepOrder(pick);
    let wait: NodeJS.Timeout | undefined;
    let asked = new vscode.CancellationTokenSource();
    /** What the lines in the list answer, and whether Enter was pressed before they came. */
    let answered = "";
    let isChosen = false;
    const places = connectPlaces(pick, {
      isCurrent: () => pick.value === answered,
      accepted: () => this.#remember(pick.value),
    });
    const ask = () => {
      isChosen = false;
      clearTimeout(wait);
      asked.cancel();
      asked = new vscode.CancellationTokenSource();
      const { token } = asked;
      const typed = pick.value;
      if (parseQuery(typed).parameters.query === "") {
        answered = typed;
        pick.busy = false;
        pick.items = this.#recentItems();
        return;
      }
      pick.busy = true;
      wait = setTimeout(async () => {
        await canBeAsked;
        const items = token.isCancellationRequested ? [] : await this.#search(typed, token);
        if (token.isCancellationRequested) {
          return;
        }
        answered = typed;
        pick.items = items;
        pick.busy = false;
        if (isChosen) {
          isChosen = false;
          await places.stay(items[0]);
        }
      }, PAUSE_MS);
    };
    pick.onDidChangeValue(ask);
    pick.onDidAccept(() => {
      const [item] = pick.activeItems;
      if (item instanceof RecentItem) {
        pick.value = item.query;
        ask();
      } else {
        isChosen = pick.value !== answered;
      }
    });
    pick.onDidHide(() => {
      clearTimeout(wait);
      asked.cancel();
    });
    ask();
    pick.show();
  }

  async #search(typed: string, token: vscode.CancellationToken, isRepeated = false): Promise<PlaceItem[]> {
    const { parameters: meant, problem } = parseQuery(typed);
    if (problem !== "") {
      return [itemOf(notAsked(problem))];
    }
    const parameters = { max_results: MOST_RESULTS, ...meant, absolute_paths: true, snippet_chars: 0 };
    try {
      const roots = await this.#pilotfish.roots.all();
      const answers = await Promise.all(
        roots.map((root) => this.#pilotfish.server().ask("pilotfish.searchCode", { ...parameters, root }, token)),
      );
      const hits = answers.flatMap((answer, at) => {
        const folder = roots.length > 1 ? path.basename(roots[at] ?? "") : "";
        return picksOf(answer.results, folder).map((pick, place) => ({ pick, score: answer.results[place]?.score ?? 0 }));
      });
      if (roots.length > 1) {
        hits.sort((one, other) => other.score - one.score);
      }
      const said = remark(answers);
      return [...hits.map((hit) => hit.pick), ...(said === null ? [] : [said])].map(itemOf);
    } catch (error) {
      if (!isRepeated && !token.isCancellationRequested && (await this.#pilotfish.isBack())) {
        return this.#search(typed, token, true);
      }
      return [itemOf(failureOf(error, this.#pilotfish))];
    }
  }

  #recent(): string[] {
    return this.#memory.get<string[]>(RECENT_KEY, []);
  }

  #recentItems(): PlaceItem[] {
    return this.#recent().map((query) => new RecentItem(query));
  }

  #remember(query: string): void {
    const recent = [query, ...this.#recent().filter((each) => each !== query)].slice(0, MOST_RECENT);
    void this.#memory.update(RECENT_KEY, recent);
  }
}

/** A query asked before; choosing it asks again. */
class RecentItem implements PlaceItem {
  readonly label: string;
  readonly query: string;
  readonly iconPath = new vscode.ThemeIcon("history");
  readonly alwaysShow = true;
  readonly place = null;

  constructor(query: string) {
    this.label = withoutIcons(query);
    this.query = query;
  }
}

/** The results stand best first, whatever of a label looks like the query. VS Code has a name for that, not a type. */
function keepOrder(pick: vscode.QuickPick<PlaceItem>): void {
  (pick as { sortByLabel?: boolean }).sortByLabel = false;
}
