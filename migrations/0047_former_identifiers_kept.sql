-- What an account has no more, so that its erasure finds it; what it has again is former no more. By hand, because drizzle-kit
-- knows no triggers. The time is that of the database, because not every change of a user has one.
CREATE TRIGGER `former_identifiers_update` AFTER UPDATE OF username, primary_email, primary_phone, identities ON `users`
WHEN NEW.username IS NOT OLD.username OR NEW.primary_email IS NOT OLD.primary_email
	OR NEW.primary_phone IS NOT OLD.primary_phone OR NEW.identities <> OLD.identities
BEGIN
	INSERT INTO former_identifiers (tenant_id, user_id, value, was_held, created_at)
	SELECT DISTINCT OLD.tenant_id, OLD.id, named.value, 1, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
	FROM json_tree(json_array(OLD.username, OLD.primary_email, OLD.primary_phone, json(OLD.identities))) AS named
	WHERE named.type = 'text' AND named.value <> '' AND length(named.value) <= 256
		AND (named.path = '$' OR named.key IN ('userId', 'id', 'email', 'phone'))
	ON CONFLICT (tenant_id, user_id, value) DO UPDATE SET was_held = 1, created_at = excluded.created_at;
	DELETE FROM former_identifiers WHERE tenant_id = NEW.tenant_id AND user_id = NEW.id AND value IN (
		SELECT named.value FROM json_tree(json_array(NEW.username, NEW.primary_email, NEW.primary_phone, json(NEW.identities))) AS named
		WHERE named.type = 'text' AND (named.path = '$' OR named.key IN ('userId', 'id', 'email', 'phone')));
END;
--> statement-breakpoint
-- Since when an account has an identity: one of the same target with another id is a new one.
CREATE TRIGGER `identity_additions_update` AFTER UPDATE OF identities ON `users` WHEN NEW.identities <> OLD.identities
BEGIN
	DELETE FROM identity_additions WHERE tenant_id = NEW.tenant_id AND user_id = NEW.id
		AND target NOT IN (SELECT key FROM json_each(NEW.identities));
	INSERT INTO identity_additions (tenant_id, user_id, target, created_at)
	SELECT NEW.tenant_id, NEW.id, added.key, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
	FROM json_each(NEW.identities) AS added
	WHERE json_extract(added.value, '$.userId') IS NOT (
		SELECT json_extract(held.value, '$.userId') FROM json_each(OLD.identities) AS held WHERE held.key = added.key)
	ON CONFLICT (tenant_id, user_id, target) DO UPDATE SET created_at = excluded.created_at;
END;
