-- The report of the trade names the ten largest customers. It added up all of them; with this index it begins with the largest of each block of
-- days (docs/decisions/0083).
create index concurrently customer_sum_largest on customer_sum (period_start, charged_cents, user_id) where days = 16;
