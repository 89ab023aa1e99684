-- What drizzle-kit has no words for: the search index over users, identities as rows, and totals, all kept by triggers.

-- Substring search over users (ADR-0051). External content: the text is stored once, in `users`.
CREATE VIRTUAL TABLE `users_search` USING fts5(
	`id`, `primary_email`, `primary_phone`, `username`, `name`,
	content='users', content_rowid='search_id', tokenize='trigram'
);
--> statement-breakpoint
CREATE TRIGGER `users_search_insert` AFTER INSERT ON `users`
BEGIN
	INSERT INTO users_search (rowid, id, primary_email, primary_phone, username, name)
	VALUES (NEW.search_id, NEW.id, NEW.primary_email, NEW.primary_phone, NEW.username, NEW.name);
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_update` AFTER UPDATE OF id, primary_email, primary_phone, username, name ON `users`
BEGIN
	INSERT INTO users_search (users_search, rowid, id, primary_email, primary_phone, username, name)
	VALUES ('delete', OLD.search_id, OLD.id, OLD.primary_email, OLD.primary_phone, OLD.username, OLD.name);
	INSERT INTO users_search (rowid, id, primary_email, primary_phone, username, name)
	VALUES (NEW.search_id, NEW.id, NEW.primary_email, NEW.primary_phone, NEW.username, NEW.name);
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_delete` AFTER DELETE ON `users`
BEGIN
	INSERT INTO users_search (users_search, rowid, id, primary_email, primary_phone, username, name)
	VALUES ('delete', OLD.search_id, OLD.id, OLD.primary_email, OLD.primary_phone, OLD.username, OLD.name);
END;
--> statement-breakpoint

-- `users.identities` as rows, so that an identity belongs to one user and is found by index.
CREATE TRIGGER `user_identities_insert` AFTER INSERT ON `users` WHEN NEW.identities <> '{}'
BEGIN
	INSERT INTO user_identities (tenant_id, target, identity_id, user_id)
	SELECT NEW.tenant_id, key, json_extract(value, '$.userId'), NEW.id FROM json_each(NEW.identities);
END;
--> statement-breakpoint
CREATE TRIGGER `user_identities_update` AFTER UPDATE OF identities ON `users` WHEN NEW.identities <> OLD.identities
BEGIN
	DELETE FROM user_identities WHERE tenant_id = NEW.tenant_id AND user_id = NEW.id;
	INSERT INTO user_identities (tenant_id, target, identity_id, user_id)
	SELECT NEW.tenant_id, key, json_extract(value, '$.userId'), NEW.id FROM json_each(NEW.identities);
END;
--> statement-breakpoint

-- Totals of unfiltered lists (ADR-0051). A tenant starts with its zeros, so that counting is one UPDATE.
CREATE TRIGGER `totals_of_tenant` AFTER INSERT ON `tenants`
BEGIN
	INSERT INTO totals (tenant_id, table_name, count)
	VALUES (NEW.id, 'applications', 0), (NEW.id, 'logs', 0), (NEW.id, 'resources', 0), (NEW.id, 'roles', 0), (NEW.id, 'users', 0);
END;
--> statement-breakpoint
CREATE TRIGGER `totals_applications_insert` AFTER INSERT ON `applications`
BEGIN
	UPDATE totals SET count = count + 1 WHERE tenant_id = NEW.tenant_id AND table_name = 'applications';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_applications_delete` AFTER DELETE ON `applications`
BEGIN
	UPDATE totals SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND table_name = 'applications';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_logs_insert` AFTER INSERT ON `logs`
BEGIN
	UPDATE totals SET count = count + 1 WHERE tenant_id = NEW.tenant_id AND table_name = 'logs';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_logs_delete` AFTER DELETE ON `logs`
BEGIN
	UPDATE totals SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND table_name = 'logs';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_resources_insert` AFTER INSERT ON `resources`
BEGIN
	UPDATE totals SET count = count + 1 WHERE tenant_id = NEW.tenant_id AND table_name = 'resources';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_resources_delete` AFTER DELETE ON `resources`
BEGIN
	UPDATE totals SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND table_name = 'resources';
END;
--> statement-breakpoint

-- Internal roles are in no list (spec/management#internal-roles), so they are not counted.
CREATE TRIGGER `totals_roles_insert` AFTER INSERT ON `roles` WHEN NEW.name NOT LIKE '#internal:%'
BEGIN
	UPDATE totals SET count = count + 1 WHERE tenant_id = NEW.tenant_id AND table_name = 'roles';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_roles_delete` AFTER DELETE ON `roles` WHEN OLD.name NOT LIKE '#internal:%'
BEGIN
	UPDATE totals SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND table_name = 'roles';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_users_insert` AFTER INSERT ON `users`
BEGIN
	UPDATE totals SET count = count + 1 WHERE tenant_id = NEW.tenant_id AND table_name = 'users';
END;
--> statement-breakpoint
CREATE TRIGGER `totals_users_delete` AFTER DELETE ON `users`
BEGIN
	UPDATE totals SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND table_name = 'users';
END;
