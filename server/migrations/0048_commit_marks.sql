-- Each running process counts up here (docs/decisions/0065). After the loss of the database's machine it compares the
-- row with what it knows to be committed: on a standby that was promoted, newer commits may be missing.
create table commit_mark (
  -- random, made at the start of the process
  process uuid primary key,
  beats bigint not null default 1,
  beat_at timestamptz not null default clock_timestamp(),
  -- commits were confirmed by a standby, by the settings of the server that this beat was written to
  is_synchronous boolean not null,
  -- after a change of the server: its identity, whether the process found all that it knows to be committed, and how much
  -- older the newest beat there was than the newest one it knows of
  compared_on text,
  is_complete boolean,
  lost_ms bigint
);
