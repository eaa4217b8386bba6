"""The extender's view of the links, as /links.json tells it."""


class Links:
    """One answer of /links.json."""

    def __init__(self, document):
        self.document = document
        self._by_pair = {(link["from"], link["to"]): link
                         for link in document["links"] if link["from"] != link["to"]}

    def pairs(self):
        return sorted(self._by_pair)

    def get(self, source, target):
        return self._by_pair[(source, target)]

    def all_in(self, state):
        return bool(self._by_pair) and all(link["state"] == state for link in self._by_pair.values())

    def state(self, source, target):
        link = self._by_pair.get((source, target), {})
        return link.get("state", "Unknown"), link.get("reason", "no_data")

    def p50_ms(self, source, target):
        return self._by_pair[(source, target)]["rtt_seconds"]["p50"] * 1e3
