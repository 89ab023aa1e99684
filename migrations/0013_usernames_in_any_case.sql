-- Usernames that differ by case alone are not given twice (spec/accounts#username). Triggers and not a unique index, because
-- such users may exist: they stay as they are. The message is that of the index over the exact name, which also the
-- previous Worker answers as a taken name. Exact doubles are left to that index, for ON CONFLICT.
-- INDEXED BY: otherwise SQLite reads all users of the tenant in the index over the exact name, because it covers the question.
CREATE TRIGGER `users_username_case_insert` BEFORE INSERT ON `users`
WHEN NEW.username IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: users.tenant_id, users.username')
	WHERE EXISTS (SELECT 1 FROM users INDEXED BY `users_username_lower` WHERE tenant_id = NEW.tenant_id AND lower("username") = lower(NEW.username)
		AND username <> NEW.username);
END;
--> statement-breakpoint
CREATE TRIGGER `users_username_case_update` BEFORE UPDATE OF username ON `users`
WHEN NEW.username IS NOT NULL AND NEW.username IS NOT OLD.username
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: users.tenant_id, users.username')
	WHERE EXISTS (SELECT 1 FROM users INDEXED BY `users_username_lower` WHERE tenant_id = NEW.tenant_id AND lower("username") = lower(NEW.username)
		AND username <> NEW.username AND search_id <> OLD.search_id);
END;
