-- The sandbox carrier remembers what the receiver's second street line told it, so that a void can be told to fail too. Labels that
-- were sold before have none and can be voided.
alter table sandbox_purchase add column command text;
