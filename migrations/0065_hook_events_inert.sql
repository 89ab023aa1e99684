-- The previous Worker reads only the first event of a hook (ADR-0181). This trigger replaces `outbox_of_another_event`
-- and treats hooks without `events` as that one did. By hand, because drizzle-kit knows no triggers.
DROP TRIGGER `outbox_of_another_event`;
--> statement-breakpoint
CREATE TRIGGER `outbox_of_other_events` BEFORE INSERT ON `outbox`
WHEN NEW.hook_id IS NOT NULL AND EXISTS (
	SELECT 1 FROM hooks WHERE tenant_id = NEW.tenant_id AND id = NEW.hook_id
		AND iif(events IS NULL, account_event <> NEW.event, NEW.event NOT IN (SELECT value FROM json_each(events)))
) BEGIN
	SELECT raise(IGNORE);
END;
--> statement-breakpoint
-- If the previous Worker gives a hook another event, the hook has only that one.
CREATE TRIGGER `hooks_events_replaced` AFTER UPDATE OF event, account_event ON `hooks`
WHEN NEW.events IS NOT NULL AND NEW.events IS OLD.events
	AND (NEW.event <> OLD.event OR NEW.account_event IS NOT OLD.account_event) BEGIN
	UPDATE hooks SET events = NULL WHERE tenant_id = NEW.tenant_id AND id = NEW.id;
END;
