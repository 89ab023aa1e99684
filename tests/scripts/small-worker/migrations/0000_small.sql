create table small (id text);
