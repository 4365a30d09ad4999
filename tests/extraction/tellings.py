"""What is believed after something was told."""


def beliefs(scope):
    """Everything in force, a line each."""
    found = set()
    for entity in scope.graph.search(limit=50):
        ends = [(link, link.target and scope.graph.get(link.target).name) for link in scope.graph.links(entity.id)]
        found |= {
            f"{entity.name} {link.predicate} {end or link.value}" for link, end in ends if link.source == entity.id
        }
        found |= {f"{entity.name} {claim.slot} {claim.value}" for claim in scope.ontology.claims(entity.id)}
    return found


def tell(scope, clock, *texts):
    for text in texts:
        scope.observe("user", text, session="s")
        clock.advance(days=1)
    return beliefs(scope)
