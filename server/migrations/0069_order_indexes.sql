-- What the migrations before have replaced; the indexes that only programs before 0062 used; and order_open_of_batch: the queued labels of
-- a bulk order are found in the queue of its user.
drop index order_bought_of_user, order_bought_of_service, order_open_of_batch;
drop index if exists order_of_user, order_of_batch, order_of_service;
