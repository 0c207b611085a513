-- Oldest program: 0071
-- No program has read it: the check transfer_zero_by_kind says which amounts may be 0.
alter table transfer_rule drop column may_be_zero;
