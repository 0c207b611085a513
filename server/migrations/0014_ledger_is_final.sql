-- The ledger's own guards had gaps: stored balances could be emptied in one statement, an account could be given to another owner or
-- taken away, and the way of a kind of transfer could be changed under the transfers that went it. A kind may still be added.
create trigger balance_no_truncate before truncate on balance for each statement execute function refuse_change();
create trigger account_immutable before update or delete on account for each row execute function refuse_change();
create trigger transfer_rule_immutable before update or delete on transfer_rule for each row execute function refuse_change();

-- The CHECK on its text let a reason pass that is null: what is not known to be wrong is no violation.
alter table transfer add constraint adjustment_has_reason check (kind not in ('adjust_up', 'adjust_down') or reason is not null);
