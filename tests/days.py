"""A day of an agent: every kind of call that is made often, once or twice."""

from nacre import Nacre, ScopedNacre
from nacre.store.work import jobs


def live(nacre: Nacre, scope: ScopedNacre) -> None:
    """Talk, ask, write down, look things up and do what is left for later."""
    _talk(scope)
    ask(scope)
    _look_up_the_graph(scope)
    _keep_things(scope)
    _look_back(scope)
    _work(nacre)


def _talk(scope: ScopedNacre) -> None:
    scope.observe("user", "Ana works at Northwind in Lisbon", speaker="Ana", session="s1")
    scope.observe("assistant", "Noted: Ana works at Northwind", session="s1")
    scope.observe("user", "Ana moved to Porto. Ana's favourite colour is green.", session="s2")
    scope.remember("Ana likes green tea", tags=["tea"], category="taste")
    scope.remember("Ana likes green tea", tags=["tea"], category="taste")


def ask(scope: ScopedNacre) -> None:
    """Ask what was said."""
    for _ in range(2):
        scope.recall("Where does Ana work?")
    scope.recall("tea", session="s1", kinds=["memory"])
    scope.context("What does Ana like?", session="s3")
    scope.context("What does Ana like?", session="s3")
    scope.memories.search("tea")
    scope.memories.newest(category="taste")
    scope.memories.categories()


def _look_up_the_graph(scope: ScopedNacre) -> None:
    graph, ontology = scope.graph, scope.ontology
    graph.link("Ana", "knows", "Bob", reason="They met")
    ontology.set("Ana", "taste/general/colour", "green")
    ontology.set("Ana", "taste/general/colour", "blue")
    graph.search("an")
    graph.mentioned("What did Ana say to Bob?")
    graph.walk(["Ana"])
    graph.get("Ana")
    graph.links("Ana")
    graph.profile("Ana and Bob")
    graph.stats()
    ontology.claims("Ana")
    ontology.versions("Ana", "taste/general/colour")
    ontology.aspects("Ana")
    ontology.traverse("What does Ana like?")
    ontology.expand("Ana")
    scope.knowledge.entities()
    scope.knowledge.entity("Ana")
    scope.dossiers.beliefs("Ana")
    scope.dossiers.timeline("Ana")


def _keep_things(scope: ScopedNacre) -> None:
    working = scope.working("session/s1")
    working.save("plan", "buy tea")
    working.get("plan")
    working.list()
    working.search("tea")
    working.delete("plan")
    scope.vault.save("notes/tea.md", "# Tea\nGreen tea, see [[Coffee]].")
    scope.vault.search("tea")
    scope.vault.get("notes/tea.md")
    scope.skills.save("brew", summary="How to brew", content="Boil water")
    scope.skills.search("brew")
    scope.feedback.record("correction", "tone")
    scope.conversations.last("s1")
    scope.conversations.unread("reader")
    scope.conversations.consume("reader", 1)


def _look_back(scope: ScopedNacre) -> None:
    first, *_ = scope.graph.history()
    scope.history()
    scope.inspect(first.id)
    for link in scope.graph.links("Ana"):
        scope.ontology.link_history(link.id)
    scope.undo(first.id)


def _work(nacre: Nacre) -> None:
    nacre.parts.worker.drain()
    with nacre.parts.database.read_all() as tx:
        jobs.backlog(tx)
