-- A hook of an event of accounts has `PostResetPassword` in the column of before, whose CHECK knows no other event
-- (ADR-0084). The Worker of the version before takes it for one: it writes no message for it, and where an operator
-- gives it another event there, it has that one. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `outbox_of_another_event` BEFORE INSERT ON `outbox`
WHEN NEW.hook_id IS NOT NULL AND EXISTS (
	SELECT 1 FROM hooks WHERE tenant_id = NEW.tenant_id AND id = NEW.hook_id AND account_event <> NEW.event
) BEGIN
	SELECT raise(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER `hooks_event_replaced` AFTER UPDATE OF event ON `hooks`
WHEN NEW.account_event IS NOT NULL AND NEW.event <> 'PostResetPassword' BEGIN
	UPDATE hooks SET account_event = NULL WHERE tenant_id = NEW.tenant_id AND id = NEW.id;
END;
