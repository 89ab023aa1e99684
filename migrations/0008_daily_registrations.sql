-- How many users registered on which day, kept by triggers as totals are (ADR-0051): the rows of `daily_activity` with gap -1.

CREATE TRIGGER `daily_registrations_insert` AFTER INSERT ON `users`
BEGIN
	INSERT INTO daily_activity (tenant_id, day, gap, count)
	VALUES (NEW.tenant_id, NEW.created_at / 86400000, -1, 1)
	ON CONFLICT (tenant_id, day, gap) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `daily_registrations_delete` AFTER DELETE ON `users`
BEGIN
	UPDATE daily_activity SET count = count - 1
	WHERE tenant_id = OLD.tenant_id AND day = OLD.created_at / 86400000 AND gap = -1;
END;
--> statement-breakpoint
-- Those who are there already. Whoever came since the triggers are there is one of them, so the count is set and not added.
INSERT INTO daily_activity (tenant_id, day, gap, count)
SELECT tenant_id, created_at / 86400000, -1, count(*) FROM users WHERE true GROUP BY tenant_id, created_at / 86400000
ON CONFLICT (tenant_id, day, gap) DO UPDATE SET count = excluded.count;
