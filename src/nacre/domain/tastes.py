"""Tastes: who likes a thing and who dislikes it. The kind of an entity, `preference`, says neither."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """The names of those who like a thing and of those who dislike it; nobody where what they felt is over."""

    likers: tuple[str, ...] = ()
    dislikers: tuple[str, ...] = ()

    def __str__(self) -> str:
        """What a kind such as `preference` leaves out: nothing where the thing is liked and no more than that."""
        if not self.likers and not self.dislikers:
            return "no longer liked or disliked"
        liked = f"liked by {', '.join(self.likers)}, " if self.likers else ""
        return f"{liked}disliked by {', '.join(self.dislikers)}" if self.dislikers else ""
