-- For how many months evidence is kept; no row: for ever. The owner writes EVIDENCE_RETENTION_MONTHS here at the start, and the
-- server's database user may only read it: it can drop no more evidence than the operator has allowed.
create table evidence_retention (
  is_only boolean primary key default true check (is_only),
  months int not null check (months >= 13),
  set_at timestamptz not null default now()
);
