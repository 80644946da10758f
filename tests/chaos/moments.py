"""Other moments at which a kill can come: a decision of the person, and a beginning."""

from tests.chaos.scene import Scene
from tests.chaos.worker import edits
from tests.sync.conftest import Machine

from gitmem.sync.create import create
from gitmem.sync.plan import Decision

# More than enough to be taken for an accident.
MANY = 40
GONE = tuple(f"many/n{number:02}.md" for number in range(MANY - 12))

# What is to change as one: files that stay, one that is new, and some that go.
TIDIED = {
    "many/n00.md": "zero and two\n",
    "many/n01.md": "one and three\n",
    "new/n04.md": "four\n",
    "many/n02.md": None,
    "many/n03.md": None,
}


def many(scene: Scene) -> None:
    """Let two machines share many files."""
    first = create_both(scene)
    for number in range(MANY):
        first.write(f"many/n{number:02}.md", f"{number} {scene.token()}\n")
    for name in ("first", "second"):
        scene.machine(name).cycle()


def create_both(scene: Scene) -> Machine:
    for name in ("first", "second"):
        create(scene.machine(name).options)
    return scene.machine("first")


def incoming(scene: Scene) -> None:
    """Let the other machine delete most of them, and this one not want to decide."""
    incoming_unwanted(scene)
    forget(scene, scene.machine("first"))


def incoming_unwanted(scene: Scene) -> None:
    """Let the other machine have deleted by accident what is to stay."""
    many(scene)
    second = scene.machine("second")
    second.delete(*GONE)
    second.cycle(Decision.ACCEPT)
    scene.machine("first").write("mine.md", f"{scene.token()}\n")


def outgoing(scene: Scene) -> None:
    """Let most of them go missing on this machine, which may be what is wanted."""
    many(scene)
    forget(scene, scene.machine("first"))
    scene.machine("first").delete(*GONE)


def missing(scene: Scene) -> None:
    """Let most of them go missing by accident."""
    many(scene)
    scene.machine("first").delete(*GONE)


def undoable(scene: Scene) -> None:
    """Let this machine add many files at once, and edit one of them after that."""
    many(scene)
    first = scene.machine("first")
    for number in range(MANY):
        first.write(f"more/n{number:02}.md", f"{number}\n")
    first.engine.commit()
    first.write("more/n00.md", f"edited {scene.token()}\n\n0\n")
    first.engine.commit()
    old = first.read("many/n01.md")
    first.write("many/n01.md", f"{old}\nuncommitted\n")


def tidy(scene: Scene) -> None:
    """Let there be files that are to change together, and an edit beside them."""
    many(scene)
    for name in TIDIED.keys() - {"new/n04.md"}:
        scene.tokens -= set(scene.machine("first").read(name).split())
    scene.machine("first").write("mine.md", f"{scene.token()}\n")


def tidied(scene: Scene) -> None:
    """Let several files have changed as one, and one of them be edited since."""
    tidy(scene)
    first = scene.machine("first")
    first.write("swap", "a file that becomes a folder\n")
    first.engine.commit()
    wanted = {**TIDIED, "swap": None, "swap/in.md": "a folder now\n"}
    first.engine.together("memory(*): tidy", edits(first.engine, wanted))
    first.write("many/n00.md", f"{TIDIED['many/n00.md']}{scene.token()}\n")
    first.engine.commit()
    first.write("late.md", f"{scene.token()}\n")


def forget(scene: Scene, machine: Machine) -> None:
    """Let the words of the files go that are deleted."""
    for path in GONE:
        scene.tokens -= set(machine.read(path).split())


def nothing(scene: Scene) -> None:
    """Let there be an empty remote."""
    (scene.live / "third").mkdir()


def remote_memory(scene: Scene) -> None:
    """Let there be a memory on a remote."""
    many(scene)
    (scene.live / "third").mkdir()


def folder(scene: Scene) -> None:
    """Let there be a folder with files, and an empty remote."""
    root = scene.machine("third").root
    (root / "notes").mkdir(parents=True)
    for name in ("a.md", "notes/b.md", ".gitignore"):
        (root / name).write_text(f"{scene.token()}\n")


def repository(scene: Scene) -> None:
    """Let there be somebody's repository of memories, and an empty remote."""
    folder(scene)
    root = scene.machine("third").root
    scene.git("init", "-q", "--initial-branch=main", cwd=root)
    scene.git("add", "--all", cwd=root)
    scene.git("commit", "-qm", "mine", cwd=root)
    (root / "c.md").write_text(f"{scene.token()}\n")
