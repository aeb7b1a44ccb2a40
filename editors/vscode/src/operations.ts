// Written by `make docs` from the declarations in server/pilotfish; edit those.

/** A place as LSP counts it: from 0, the column in UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

/** A half-open stretch of text. */
export interface Span {
  start: Position;
  end: Position;
}

/** A place in a document, as LSP has it. */
export interface Location {
  uri: string;
  range: Span;
}

export interface SearchHit {
  path: string;
  line_start: number;
  line_end: number;
  symbol_name: string;
  symbol_type: string;
  language: string;
  parent: string;
  signature: string;
  score: number;
  similarity: number | null;
  why: string;
  match_line: number;
  code_snippet: string;
  absolute_path: string | null;
}

export interface Coverage {
  searched: Array<"names" | "text" | "vectors" | "history">;
  missing: string;
}

export interface IndexState {
  generation: number;
  phase: "starting" | "scanning" | "indexing" | "ready" | "off" | "paused";
  files: number;
  pending: number;
  chunks: number;
  embedded: number;
}

export interface SearchCodeResult {
  results: Array<SearchHit>;
  total: number;
  page: number;
  truncated: boolean;
  intent: string;
  strategy: "words" | "meaning" | "definitions" | "symbols" | "text" | "usages" | "callees" | "path" | "similar" | "none";
  coverage: Coverage;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface FindSimilarResult {
  subject: string;
  results: Array<SearchHit>;
  total: number;
  page: number;
  truncated: boolean;
  coverage: Coverage;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface ContextPassage {
  path: string;
  line_start: number;
  line_end: number;
  symbol_name: string;
  symbol_type: string;
  form: "full" | "signature";
  tokens: number;
  why: string;
  absolute_path: string | null;
}

export interface BuildContextResult {
  text: string;
  tokens: number;
  max_tokens: number;
  counter: string;
  passages: Array<ContextPassage>;
  left_out: number;
  intent: string;
  coverage: Coverage;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface SymbolRecord {
  name: string;
  kind: string;
  path: string;
  line: number;
  container?: string;
  signature?: string;
  documentation?: string;
  visibility?: string;
  uses?: number | null;
  name_span: Span;
  span?: Span | null;
  absolute_path?: string | null;
}

export interface FindSymbolsResult {
  symbols: Array<SymbolRecord>;
  truncated: boolean;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface GetDefinitionResult {
  definitions: Array<SymbolRecord>;
  total: number;
  page: number;
  truncated: boolean;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface Usage {
  path: string;
  line: number;
  role: string;
  certainty: "bound" | "name";
  span: Span;
  text: string;
  container: string;
  absolute_path: string | null;
}

export interface FindUsagesResult {
  usages: Array<Usage>;
  total: number;
  bound: number;
  others: number;
  at_least: boolean;
  page: number;
  truncated: boolean;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface RelatedCode {
  relation: "calls" | "uses type" | "inherits" | "overrides" | "called by" | "used by" | "may be used by" | "inherited by" | "overridden by" | "member";
  name: string;
  kind: string;
  path: string;
  line: number;
  used_at: number;
  count: number;
  ambiguous: number;
  signature: string;
}

export interface PastCommit {
  commit: string;
  date: string;
  subject: string;
}

export interface ExplainCodeResult {
  name: string;
  kind: string;
  path: string;
  line_start: number;
  line_end: number;
  enclosing_start: number;
  enclosing_end: number;
  language: string;
  container: string;
  visibility: string;
  signature: string;
  documentation: string;
  source: string;
  source_truncated: boolean;
  uses: Array<RelatedCode>;
  used_by: Array<RelatedCode>;
  tests: Array<RelatedCode>;
  ancestry: Array<RelatedCode>;
  members: Array<RelatedCode>;
  calls: number;
  types: number;
  imports: number;
  inherits: number;
  reads: number;
  test_uses: number;
  name_uses: number;
  use_files: number;
  file_imports: Array<string>;
  imported_by: number;
  history: Array<PastCommit>;
  others: Array<string>;
  left_out: number;
  tokens: number;
  max_tokens: number;
  absolute_path: string | null;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface TraceStep {
  depth: number;
  caller: string;
  callee: string;
  path: string;
  line: number;
  kind: string;
  defined_at: string;
  direction?: "callees" | "callers";
  role?: "call" | "implementation";
  count?: number;
  cycle?: boolean;
  repeated?: boolean;
  cut?: boolean;
  ambiguous?: number;
}

export interface TraceExecutionResult {
  entry: string;
  entry_kind: string;
  entry_at: string;
  to: string;
  to_at: string;
  steps: Array<TraceStep>;
  truncated: boolean;
  looked_at: number;
  tokens: number;
  max_tokens: number;
  hint: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface FileOutline {
  path: string;
  language: string | null;
  symbols: Array<SymbolRecord>;
  reason: string;
}

export interface OutlineResult {
  files: Array<FileOutline>;
  next: string | null;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface MapSymbol {
  name: string;
  kind: string;
  line: number;
  signature: string;
}

export interface MapFile {
  path: string;
  rank: number;
  symbols: Array<MapSymbol>;
}

export interface RepoMapResult {
  format: "tree" | "compact" | "json" | "html";
  text: string;
  tokens: number;
  max_tokens: number;
  counter: string;
  files: Array<MapFile>;
  more_files: number;
  unknown_files: Array<string>;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface ArchitectureModule {
  name: string;
  folder: string;
  file_count: number;
  share: number;
  languages: Record<string, number>;
  files: Array<string>;
  test_files: number;
}

export interface ArchitectureDependency {
  source: string;
  target: string;
  calls: number;
  types: number;
  imports: number;
  inherits: number;
  against_layers: boolean;
}

export interface ArchitectureFileCycle {
  file_count: number;
  loop: Array<string>;
}

export interface ArchitectureEntryPoint {
  path: string;
  reason: string;
  uses: number;
}

export interface GetArchitectureResult {
  focus_area: string;
  format: string;
  text: string;
  tokens: number;
  truncated: boolean;
  file_count: number;
  module_count: number;
  test_file_count: number;
  base: string;
  modules: Array<ArchitectureModule>;
  dependencies: Array<ArchitectureDependency>;
  layers: Array<Array<string>>;
  module_cycles: Array<Array<string>>;
  file_cycles: Array<ArchitectureFileCycle>;
  entry_points: Array<ArchitectureEntryPoint>;
  areas: Array<string>;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface LanguageCount {
  language: string;
  files: number;
  symbols: number;
  with_errors: number;
}

export interface SkipCount {
  reason: string;
  files: number;
}

export interface SemanticStatus {
  phase: "off" | "waiting" | "embedding" | "ready" | "paused" | "failed";
  model: string;
  pending: number;
  message: string;
}

export interface StatusResult {
  root: string;
  symbols: number;
  references: number;
  languages: Array<LanguageCount>;
  skipped: Array<SkipCount>;
  most_used: Array<SymbolRecord>;
  semantic: SemanticStatus;
  unsaved_documents: number;
  sessions: Array<string>;
  source_bytes: number;
  index_bytes: number;
  index_folder: string;
  log_path: string;
  head: string | null;
  watcher: string;
  engine_pid: number;
  worker_pids: Array<number>;
  memory_bytes: number;
  counters: Record<string, number>;
  warnings: Array<string>;
  version: string;
  root_reason: string;
  nested_roots: Array<string>;
  nested_total: number;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface SyncResult {
  added: number;
  changed: number;
  removed: number;
  moved: number;
  head: string | null;
  upstream: string;
  behind: number | null;
  ahead: number | null;
  fetched: boolean;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface WhyResult {
  path: string;
  indexed: boolean;
  listed: boolean;
  rule: string;
  detail: string;
  language: string | null;
  symbols: number;
  files: number;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface ControlResult {
  message: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface MCPEndpointResult {
  transport: "stdio" | "http";
  command: string;
  args: Array<string>;
  env: Record<string, string>;
  url: string;
  token: string;
  index: IndexState;
  outcome: "found" | "no_match" | "not_indexed";
  unsaved: Array<string>;
}

export interface SearchCodeParameters {
  file_filter?: string | null;
  language?: string | null;
  tests?: "auto" | "include" | "exclude" | "only";
  absolute_paths?: boolean;
  kind?: string | null;
  similarity_threshold?: number | null;
  max_results?: number | null;
  page?: number;
  snippet_chars?: number;
  query: string;
  search_type?: "hybrid" | "semantic" | "symbol" | "text";
  root?: string;
}

export interface FindSimilarParameters {
  file_filter?: string | null;
  language?: string | null;
  tests?: "auto" | "include" | "exclude" | "only";
  absolute_paths?: boolean;
  kind?: string | null;
  similarity_threshold?: number | null;
  max_results?: number | null;
  page?: number;
  snippet_chars?: number;
  symbol_name?: string | null;
  file_hint?: string | null;
  file_path?: string | null;
  line_start?: number | null;
  line_end?: number | null;
  snippet?: string | null;
  root?: string;
  at?: Location;
}

export interface BuildContextParameters {
  file_filter?: string | null;
  language?: string | null;
  tests?: "auto" | "include" | "exclude" | "only";
  absolute_paths?: boolean;
  task: string;
  max_tokens?: number | null;
  context_tokens?: number | null;
  root?: string;
}

export interface FindSymbolsParameters {
  query: string;
  kind?: string | null;
  file_filter?: string | null;
  max_results?: number;
  absolute_paths?: boolean;
  root?: string;
}

export interface GetDefinitionParameters {
  symbol_name?: string;
  file_hint?: string | null;
  max_results?: number;
  page?: number;
  absolute_paths?: boolean;
  root?: string;
  at?: Location;
}

export interface FindUsagesParameters {
  symbol_name?: string;
  file_hint?: string | null;
  include_context?: boolean;
  max_results?: number;
  page?: number;
  absolute_paths?: boolean;
  root?: string;
  at?: Location;
}

export interface ExplainCodeParameters {
  symbol_name?: string | null;
  file_hint?: string | null;
  file_path?: string | null;
  line_start?: number | null;
  line_end?: number | null;
  max_tokens?: number;
  absolute_paths?: boolean;
  root?: string;
  at?: Location;
}

export interface TraceExecutionParameters {
  entry_point?: string;
  file_hint?: string | null;
  to?: string | null;
  direction?: "callees" | "callers" | "both";
  max_depth?: number | null;
  max_results?: number;
  max_tokens?: number;
  root?: string;
  at?: Location;
}

export interface OutlineParameters {
  files?: Array<string>;
  all?: boolean;
  after?: string | null;
  root?: string;
  at?: Location;
}

export interface RepoMapParameters {
  max_tokens?: number | null;
  format?: "tree" | "compact" | "json" | "html";
  mentions?: Array<string>;
  files?: Array<string>;
  task?: string;
  root?: string;
}

export interface GetArchitectureParameters {
  focus_area?: string;
  format?: "text" | "json" | "mermaid";
  max_tokens?: number;
  root?: string;
}

export interface StatusParameters {
  root?: string;
}

export interface SyncParameters {
  force?: boolean;
  wait?: boolean;
  fetch?: boolean;
  root?: string;
}

export interface WhyParameters {
  path?: string;
  root?: string;
  at?: Location;
}

export interface ControlParameters {
  action: "rebuild" | "pause" | "resume" | "cancel" | "wait";
  semantic?: boolean;
  root?: string;
}

export interface MCPEndpointParameters {
  transport?: "stdio" | "http";
  root?: string;
}

/** Every command of the server. */
export interface Operations {
  "pilotfish.searchCode": { parameters: SearchCodeParameters; answer: SearchCodeResult };
  "pilotfish.findSimilar": { parameters: FindSimilarParameters; answer: FindSimilarResult };
  "pilotfish.buildContext": { parameters: BuildContextParameters; answer: BuildContextResult };
  "pilotfish.findSymbols": { parameters: FindSymbolsParameters; answer: FindSymbolsResult };
  "pilotfish.getDefinition": { parameters: GetDefinitionParameters; answer: GetDefinitionResult };
  "pilotfish.findUsages": { parameters: FindUsagesParameters; answer: FindUsagesResult };
  "pilotfish.explainCode": { parameters: ExplainCodeParameters; answer: ExplainCodeResult };
  "pilotfish.traceExecution": { parameters: TraceExecutionParameters; answer: TraceExecutionResult };
  "pilotfish.outline": { parameters: OutlineParameters; answer: OutlineResult };
  "pilotfish.repoMap": { parameters: RepoMapParameters; answer: RepoMapResult };
  "pilotfish.getArchitecture": { parameters: GetArchitectureParameters; answer: GetArchitectureResult };
  "pilotfish.status": { parameters: StatusParameters; answer: StatusResult };
  "pilotfish.sync": { parameters: SyncParameters; answer: SyncResult };
  "pilotfish.why": { parameters: WhyParameters; answer: WhyResult };
  "pilotfish.control": { parameters: ControlParameters; answer: ControlResult };
  "pilotfish.mcpEndpoint": { parameters: MCPEndpointParameters; answer: MCPEndpointResult };
}

/** What operations are called in the list of commands. */
export const TITLES: Record<string, string> = {
  search_code: "Search by Meaning",
  find_similar: "Find Similar Code",
  build_context: "Context for a Task",
  find_usages: "Who Uses This",
  trace_execution: "Trace from Here",
  repo_map: "Repo Map",
  get_architecture: "Architecture",
  get_repo_status: "Index Status",
  why: "Why Is This File (Not) Indexed?",
};
