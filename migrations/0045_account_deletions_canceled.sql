-- A sign-in keeps the account, in the statement that records it. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `account_deletion_canceled` AFTER UPDATE OF last_sign_in_at ON `users` BEGIN
	UPDATE account_deletions SET canceled_at = NEW.last_sign_in_at
	WHERE tenant_id = NEW.tenant_id AND user_id = NEW.id AND canceled_at IS NULL;
END;
