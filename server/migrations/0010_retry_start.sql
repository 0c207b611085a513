-- When the retry under way began: labels whose outcome was unknown before it are not bought by it.
alter table batch add column retried_at timestamptz;
