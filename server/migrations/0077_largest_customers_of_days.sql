-- As migration 0076, of single days: over a few days they tell more about who can be among the largest than blocks do (docs/decisions/0083).
create index concurrently customer_sum_largest_of_day on customer_sum (period_start, charged_cents, user_id) where days = 1;
