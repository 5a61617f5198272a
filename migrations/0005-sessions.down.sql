drop table refresh_tokens;
drop table sessions;
