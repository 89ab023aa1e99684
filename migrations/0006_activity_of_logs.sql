-- Who was active on which day, kept by a trigger as logs are written (ADR-0016). A day is 86,400,000 ms.

CREATE TRIGGER `logs_activity` AFTER INSERT ON `logs`
WHEN NEW.key GLOB 'ExchangeTokenBy.*'
	AND json_extract(NEW.payload, '$.result') = 'Success' AND json_extract(NEW.payload, '$.userId') IS NOT NULL
BEGIN
	-- Before the user's last day is written below. Nothing on the second time in a day, and nothing for who is gone.
	INSERT INTO daily_activity (tenant_id, day, gap, count)
	SELECT NEW.tenant_id, NEW.created_at / 86400000,
		min(30, coalesce(NEW.created_at / 86400000 - user_activity.last_day, 30)), 1
	FROM users LEFT JOIN user_activity
		ON user_activity.tenant_id = users.tenant_id AND user_activity.user_id = users.id
	WHERE users.tenant_id = NEW.tenant_id AND users.id = json_extract(NEW.payload, '$.userId')
		AND coalesce(user_activity.last_day, -1) < NEW.created_at / 86400000
	ON CONFLICT (tenant_id, day, gap) DO UPDATE SET count = count + 1;

	INSERT INTO user_activity (tenant_id, user_id, last_day)
	SELECT tenant_id, id, NEW.created_at / 86400000 FROM users
	WHERE tenant_id = NEW.tenant_id AND id = json_extract(NEW.payload, '$.userId')
	ON CONFLICT (tenant_id, user_id) DO UPDATE SET last_day = excluded.last_day
		WHERE excluded.last_day > user_activity.last_day;
END;
--> statement-breakpoint

-- What the logs know already.
INSERT INTO daily_activity (tenant_id, day, gap, count)
SELECT tenant_id, day, gap, count(*) FROM (
	SELECT tenant_id, day, min(30, coalesce(day - lag(day) OVER (PARTITION BY tenant_id, user_id ORDER BY day), 30)) AS gap
	FROM (
		SELECT DISTINCT tenant_id, user_id, created_at / 86400000 AS day FROM logs
		WHERE key GLOB 'ExchangeTokenBy.*' AND user_id IS NOT NULL AND json_extract(payload, '$.result') = 'Success'
	)
)
GROUP BY tenant_id, day, gap;
--> statement-breakpoint
INSERT INTO user_activity (tenant_id, user_id, last_day)
SELECT logs.tenant_id, logs.user_id, max(logs.created_at) / 86400000
FROM logs JOIN users ON users.tenant_id = logs.tenant_id AND users.id = logs.user_id
WHERE logs.key GLOB 'ExchangeTokenBy.*' AND json_extract(logs.payload, '$.result') = 'Success'
GROUP BY logs.tenant_id, logs.user_id;
