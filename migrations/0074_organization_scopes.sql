-- The scopes of the management API for organisations, for the tenants that exist (ADR-0120), and their owner role. What an
-- operator has created under the same id stays as it is; a scope that has one of the names would open what it never opened, so
-- it takes another.
UPDATE OR IGNORE scopes SET name = 'own:' || name
WHERE resource_id = 'management-api' AND name IN ('organizations:read', 'organizations:write');
--> statement-breakpoint
INSERT INTO scopes (tenant_id, id, resource_id, name, description, created_at)
SELECT resources.tenant_id, given.column1, 'management-api', given.column2, given.column3, unixepoch() * 1000
FROM resources CROSS JOIN (VALUES
	('organizations-read', 'organizations:read', 'See organisations, their members and invitations'),
	('organizations-write', 'organizations:write', 'Change organisations, their members and invitations')
) AS given
WHERE resources.id = 'management-api' AND resources.indicator = 'urn:vestibule:management-api' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles_scopes (tenant_id, id, role_id, scope_id)
SELECT roles.tenant_id, given.column1, roles.id, scopes.id
FROM (VALUES
	('a-organizations-read', 'admin-role', '#internal:admin', 'organizations-read'),
	('a-organizations-write', 'admin-role', '#internal:admin', 'organizations-write'),
	('d-organizations-read', 'developer-role', '#internal:developer', 'organizations-read'),
	('s-organizations-read', 'support-role', '#internal:support', 'organizations-read'),
	('s-organizations-write', 'support-role', '#internal:support', 'organizations-write'),
	('r-organizations-read', 'read-only-role', '#internal:read-only', 'organizations-read')
) AS given
JOIN roles ON roles.id = given.column2 AND roles.name = given.column3
JOIN scopes ON scopes.tenant_id = roles.tenant_id AND scopes.id = given.column4 AND scopes.resource_id = 'management-api'
WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO organization_roles (tenant_id, id, name, description, permissions)
SELECT id, 'owner', 'owner', 'Owns the organisation and can do everything in it', '["members:read","members:manage","domains:manage","settings:manage","log:read"]'
FROM tenants WHERE true ON CONFLICT DO NOTHING;
