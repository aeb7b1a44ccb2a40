"""The embedding table as it is shipped, run by fastembed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType

import pilotfish

MODELS = Path(pilotfish.__file__).parent / "models"
TABLE = MODELS / "table"
DIMS = 256
EXCLUDED = {
    *("flask", "django", "scrapy", "aider", "httpx", "requests", "fastapi", "pytest"),
    *("express", "axios", "hono", "nest", "typeorm", "prisma", "rxjs"),
    *("gin", "cobra", "chi", "echo", "etcd", "ripgrep", "axum", "tokio", "serde", "cargo"),
    *("gson", "jsoup", "guava", "spring", "redis", "rails"),
}
"""The projects that retrieval is measured on."""


@pytest.fixture(scope="module")
def table() -> TextEmbedding:
    name = "tests/table"
    if not any(model["model"] == name for model in TextEmbedding.list_supported_models()):
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType.DISABLED,
            normalization=True,
            sources=ModelSource(hf="tests/none"),
            dim=DIMS,
            model_file="model.onnx",
        )
    return TextEmbedding(name, specific_model_path=str(TABLE), threads=1)


def embed(table: TextEmbedding, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.array(list(table.embed(list(texts))), np.float32)


def test_vectors_are_of_256_numbers_and_of_length_1(table: TextEmbedding) -> None:
    vectors = embed(
        table, ["where is the retry logic?", "def retry(attempts: int) -> None: ...", "some words " * 2_000]
    )
    assert vectors.shape == (3, DIMS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


def test_a_text_without_words_is_near_nothing(table: TextEmbedding) -> None:
    nothing, something = embed(table, ["?!", "read the configuration file"])
    assert np.isfinite(nothing).all()
    assert abs(float(nothing @ something)) < 0.01


def test_the_batch_does_not_change_a_vector(table: TextEmbedding) -> None:
    text = "parse the header of a request"
    alone = embed(table, [text])
    beside = embed(table, [text, "a much longer text about something else " * 20])
    assert np.allclose(alone[0], beside[0], atol=1e-5)


@pytest.mark.parametrize(
    "name",
    ["parseHttpResponse", "ParseHTTPResponse", "parse_http_response", "PARSE_HTTP_RESPONSE", "parse.http->response();"],
)
def test_names_are_taken_apart(table: TextEmbedding, name: str) -> None:
    vectors = embed(table, [name, "parse http response"])
    assert np.allclose(vectors[0], vectors[1], atol=1e-5)


def test_a_question_finds_its_code(table: TextEmbedding) -> None:
    codes = {
        "retry": """func Do(op func() error) error {
            for i := 0; i < max; i++ {
                if err := op(); err == nil { return nil }
                time.Sleep(backoff(i))
            }
            return ErrTooManyAttempts
        }""",
        "hash": """fn digest(path: &Path) -> Result<String> {
            let mut hasher = Sha256::new();
            io::copy(&mut File::open(path)?, &mut hasher)?;
            Ok(hex::encode(hasher.finalize()))
        }""",
        "socket": """class Server {
            listen(port) {
                this.server = net.createServer(client => this.accept(client));
                this.server.listen(port);
            }
        }""",
        "database": """public User findById(long id) {
            return jdbc.queryForObject("select * from users where id = ?", mapper, id);
        }""",
        "csv": """def load(path):
            with open(path, newline="") as f:
                return [dict(row) for row in csv.DictReader(f)]
        """,
    }
    questions = {
        "retry": "try an operation again when it fails, waiting longer each time",
        "hash": "compute the checksum of a file",
        "socket": "accept incoming network connections",
        "database": "query the database for a user",
        "csv": "read rows of a comma separated file",
    }
    cosines = embed(table, list(questions.values())) @ embed(table, list(codes.values())).T
    assert [list(codes)[n] for n in cosines.argmax(1)] == list(questions)


def test_the_package_stays_small() -> None:
    files = [path for path in TABLE.iterdir() if path.is_file()]
    assert {path.name for path in files} >= {"model.onnx", "tokenizer.json", "tokenizer_config.json"}
    assert sum(path.stat().st_size for path in [*files, MODELS / "NOTICE.md"]) <= 16_000_000


def test_the_notice_says_what_the_table_was_made_from() -> None:
    notice = (MODELS / "NOTICE.md").read_text("utf-8")
    assert "all-MiniLM-L6-v2" in notice
    tuned_on = notice.partition("## Tuned on")[2]
    packages = re.findall(r"^\*\*(\S+)\*\*: (.+)$", tuned_on, re.MULTILINE)
    assert packages
    assert not [licence for licence, _ in packages if re.search(r"GPL|MPL|EPL|CDDL|^$", licence)]
    names = {entry.split(" ")[0] for _, listed in packages for entry in listed.split(", ")}
    assert {stem(name) for name in names}.isdisjoint(EXCLUDED)


def stem(package: str) -> str:
    return re.sub(r"^(golang-github|librust|ruby|lib|golang)-|-(dev|java)$", "", package)
