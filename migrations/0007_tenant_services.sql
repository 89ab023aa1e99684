CREATE TABLE `tenant_owners` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`owner_type` text NOT NULL,
	`owner_id` text NOT NULL,
	`place` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "owner_id_length" CHECK(length("owner_id") <= 21),
	CONSTRAINT "owner_type_value" CHECK("owner_type" in ('app', 'user'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenant_owners_place` ON `tenant_owners` (`owner_type`,`owner_id`,`place`);
--> statement-breakpoint

-- The services resource of a new tenant, for the tenants that exist (ADR-0021). What an operator has created
-- under the same id or name stays as it is.
INSERT INTO resources (tenant_id, id, name, indicator, access_token_ttl)
SELECT id, 'services', 'Services', 'urn:vestibule:services', 3600 FROM tenants WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO scopes (tenant_id, id, resource_id, name, description, created_at)
SELECT resources.tenant_id, given.column1, 'services', given.column2, given.column3, unixepoch() * 1000
FROM resources CROSS JOIN (VALUES
	('create-tenant', 'create:tenant', 'Create one tenant'),
	('manage-tenant', 'manage:tenant', 'Create tenants and see all there are'),
	('send-email', 'send:email', 'Send codes by e-mail'),
	('send-sms', 'send:sms', 'Send codes by text message')
) AS given
WHERE resources.id = 'services' AND resources.indicator = 'urn:vestibule:services' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles (tenant_id, id, name, description)
SELECT tenants.id, given.column1, given.column2, given.column3
FROM tenants CROSS JOIN (VALUES
	('user', 'user', 'May create a tenant'),
	('tenant-app', 'tenantApplication', 'May send codes by e-mail and text message')
) AS given
WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles_scopes (tenant_id, id, role_id, scope_id)
SELECT roles.tenant_id, given.column1, roles.id, scopes.id
FROM (VALUES
	('admin-create-tenant', 'admin-role', '#internal:admin', 'create-tenant'),
	('admin-manage-tenant', 'admin-role', '#internal:admin', 'manage-tenant'),
	('admin-send-email', 'admin-role', '#internal:admin', 'send-email'),
	('admin-send-sms', 'admin-role', '#internal:admin', 'send-sms'),
	('user-create-tenant', 'user', 'user', 'create-tenant'),
	('tenant-app-send-email', 'tenant-app', 'tenantApplication', 'send-email'),
	('tenant-app-send-sms', 'tenant-app', 'tenantApplication', 'send-sms')
) AS given
JOIN roles ON roles.id = given.column2 AND roles.name = given.column3
JOIN scopes ON scopes.tenant_id = roles.tenant_id AND scopes.id = given.column4 AND scopes.resource_id = 'services'
WHERE true ON CONFLICT DO NOTHING;
