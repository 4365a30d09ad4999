"""Language models as background work asks them: a fork does not wait for what a service thinks."""

from nacre.models.language_models import Completion, LanguageModel, ModelPrompt, Reply
from nacre.store.base.forks import GATE


class PatientModel:
    """A model whose replies are waited for outside the gate; all but the first, on whose way its client is loaded."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._loaded = False

    @property
    def name(self) -> str:
        """The model, as reports name it."""
        return self._model.name

    def complete(
        self, prompt: ModelPrompt, output: type[Reply], *, temperature: float | None = None
    ) -> Completion[Reply]:
        """A reply of type `output`, as the model gives it."""
        if self._loaded:
            with GATE.stepped_out():
                return self._model.complete(prompt, output, temperature=temperature)
        try:
            return self._model.complete(prompt, output, temperature=temperature)
        finally:
            self._loaded = True


def patient(model: LanguageModel | None) -> PatientModel | None:
    """The model as work may ask it, where there is one."""
    return PatientModel(model) if model else None
