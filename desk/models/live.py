"""The live models: ChatOpenAI against OpenAI or any server that speaks its interface."""

from __future__ import annotations

import threading

from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from desk.model_options import options_of
from desk.models.abilities import Abilities, Server
from desk.models.calls import CALL_SECONDS
from desk.models.retries import Retries
from desk.settings import Settings

PLACEHOLDER_KEY = SecretStr("no-key-needed")  # ChatOpenAI insists on one, local servers do not


class LiveModels:
    """One ChatOpenAI for each role, made when it is first asked for.

    The client itself makes no second try: when one is worth it, is decided in one place (`retries`).
    """

    rehearsal = False

    def __init__(self, settings: Settings, retries: Retries | None = None) -> None:
        self.abilities = Abilities()
        self.retries = retries or Retries()
        self._settings = settings
        self._made: dict[str, BaseChatModel] = {}
        self._lock = threading.Lock()
        self.name = settings.model_name

    def chat(self, role: str) -> BaseChatModel:
        """The chat model of this role (DESK_MODEL_<ROLE>, else DESK_MODEL)."""
        with self._lock:
            if role not in self._made:
                self._made[role] = self._make(role)
            return self._made[role]

    def server(self, role: str) -> Server:
        """Which server and model answer in this role."""
        address = options_of(role).base_url or self._settings.openai_base_url
        return (address or "", self._settings.model_for(role))

    def _make(self, role: str) -> BaseChatModel:
        options = options_of(role)
        # The common key is for the common server: a role's own server gets its own key or none.
        key = options.api_key or (None if options.base_url else self._settings.openai_api_key)
        asked = options.model_dump(exclude={"timeout", "base_url", "api_key"}, exclude_none=True)
        return ChatOpenAI(
            model=self._settings.model_for(role),
            api_key=key or PLACEHOLDER_KEY,
            base_url=options.base_url or self._settings.openai_base_url,
            timeout=options.timeout or CALL_SECONDS,
            max_retries=0,
            **asked,
        )
