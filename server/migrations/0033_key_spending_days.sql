-- An order that begins before midnight may be counted after one of the new day: each day has its own row, the last two are kept.
alter table api_key_spending drop constraint api_key_spending_pkey, add primary key (first_id, day);
