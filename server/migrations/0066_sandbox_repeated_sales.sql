-- Sales of a sandbox carrier that forgets keys: several can have one reference. All others are found by the key of their attempt, so the
-- index of references goes with the next migrations (docs/decisions/0079-fewer-entries-for-a-purchase.md).
create index concurrently sandbox_purchase_without_key on sandbox_purchase (reference) where strpos(attempt_key, '~') > 0;
