-- After how many months finished labels move to the archive (docs/decisions/0072-old-labels-move-to-an-archive.md); no row or null: never.
-- The owner writes LABEL_ARCHIVE_MONTHS here at the start, and the server's database user may only read it. The labels are walked through
-- by id: those up to after_id have been looked at in this pass. Labels that were open then are looked at again in the next one.
create table label_archive (
  is_only boolean primary key default true check (is_only),
  months int check (months between 13 and 1200),
  set_at timestamptz not null default now(),
  after_id bigint not null default 0,
  pass_began_at timestamptz not null default now(),
  -- when a worker last found nothing more to move
  complete_at timestamptz
);
