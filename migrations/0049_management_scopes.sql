-- The scopes of the management API by area and the roles of administrators, for the tenants that exist (ADR-0120). What an
-- operator has created under the same id stays as it is; a scope that has one of the names would open what it never opened, so
-- it takes another.
UPDATE OR IGNORE scopes SET name = 'own:' || name
WHERE resource_id = 'management-api' AND name IN ('applications:read', 'applications:write', 'experience:read', 'experience:write', 'connectors:read', 'connectors:write', 'users:read', 'users:write', 'roles:read', 'roles:write', 'hooks:read', 'hooks:write', 'logs:read', 'settings:read', 'settings:write');
--> statement-breakpoint
INSERT INTO scopes (tenant_id, id, resource_id, name, description, created_at)
SELECT resources.tenant_id, given.column1, 'management-api', given.column2, given.column3, unixepoch() * 1000
FROM resources CROSS JOIN (VALUES
	('applications-read', 'applications:read', 'See applications, without their secrets'),
	('applications-write', 'applications:write', 'Change applications and see their secrets'),
	('experience-read', 'experience:read', 'See the sign-in experience and its phrases'),
	('experience-write', 'experience:write', 'Change the sign-in experience, its phrases and pictures'),
	('connectors-read', 'connectors:read', 'See connectors, without their secrets'),
	('connectors-write', 'connectors:write', 'Change and test connectors, send codes'),
	('users-read', 'users:read', 'See users'),
	('users-write', 'users:write', 'Change users'),
	('roles-read', 'roles:read', 'See roles, resources and scopes'),
	('roles-write', 'roles:write', 'Change roles, resources and scopes'),
	('hooks-read', 'hooks:read', 'See hooks and their deliveries, without their secrets'),
	('hooks-write', 'hooks:write', 'Change and test hooks and see their secrets'),
	('logs-read', 'logs:read', 'See the audit log'),
	('settings-read', 'settings:read', 'See the settings of the tenant'),
	('settings-write', 'settings:write', 'Change the settings of the tenant and rotate its signing keys')
) AS given
WHERE resources.id = 'management-api' AND resources.indicator = 'urn:vestibule:management-api' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles (tenant_id, id, name, description)
SELECT resources.tenant_id, given.column1, given.column2, given.column3
FROM resources CROSS JOIN (VALUES
	('developer-role', '#internal:developer', 'Builds applications and their sign-in'),
	('support-role', '#internal:support', 'Helps users'),
	('read-only-role', '#internal:read-only', 'Sees everything but secrets')
) AS given
WHERE resources.id = 'management-api' ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles_scopes (tenant_id, id, role_id, scope_id)
SELECT roles.tenant_id, given.column1, roles.id, scopes.id
FROM (VALUES
	('a-applications-read', 'admin-role', '#internal:admin', 'applications-read'),
	('a-applications-write', 'admin-role', '#internal:admin', 'applications-write'),
	('a-experience-read', 'admin-role', '#internal:admin', 'experience-read'),
	('a-experience-write', 'admin-role', '#internal:admin', 'experience-write'),
	('a-connectors-read', 'admin-role', '#internal:admin', 'connectors-read'),
	('a-connectors-write', 'admin-role', '#internal:admin', 'connectors-write'),
	('a-users-read', 'admin-role', '#internal:admin', 'users-read'),
	('a-users-write', 'admin-role', '#internal:admin', 'users-write'),
	('a-roles-read', 'admin-role', '#internal:admin', 'roles-read'),
	('a-roles-write', 'admin-role', '#internal:admin', 'roles-write'),
	('a-hooks-read', 'admin-role', '#internal:admin', 'hooks-read'),
	('a-hooks-write', 'admin-role', '#internal:admin', 'hooks-write'),
	('a-logs-read', 'admin-role', '#internal:admin', 'logs-read'),
	('a-settings-read', 'admin-role', '#internal:admin', 'settings-read'),
	('a-settings-write', 'admin-role', '#internal:admin', 'settings-write'),
	('d-applications-read', 'developer-role', '#internal:developer', 'applications-read'),
	('d-applications-write', 'developer-role', '#internal:developer', 'applications-write'),
	('d-experience-read', 'developer-role', '#internal:developer', 'experience-read'),
	('d-experience-write', 'developer-role', '#internal:developer', 'experience-write'),
	('d-connectors-read', 'developer-role', '#internal:developer', 'connectors-read'),
	('d-connectors-write', 'developer-role', '#internal:developer', 'connectors-write'),
	('d-roles-read', 'developer-role', '#internal:developer', 'roles-read'),
	('d-roles-write', 'developer-role', '#internal:developer', 'roles-write'),
	('d-hooks-read', 'developer-role', '#internal:developer', 'hooks-read'),
	('d-hooks-write', 'developer-role', '#internal:developer', 'hooks-write'),
	('d-logs-read', 'developer-role', '#internal:developer', 'logs-read'),
	('d-settings-read', 'developer-role', '#internal:developer', 'settings-read'),
	('s-applications-read', 'support-role', '#internal:support', 'applications-read'),
	('s-users-read', 'support-role', '#internal:support', 'users-read'),
	('s-users-write', 'support-role', '#internal:support', 'users-write'),
	('s-roles-read', 'support-role', '#internal:support', 'roles-read'),
	('s-logs-read', 'support-role', '#internal:support', 'logs-read'),
	('r-applications-read', 'read-only-role', '#internal:read-only', 'applications-read'),
	('r-experience-read', 'read-only-role', '#internal:read-only', 'experience-read'),
	('r-connectors-read', 'read-only-role', '#internal:read-only', 'connectors-read'),
	('r-users-read', 'read-only-role', '#internal:read-only', 'users-read'),
	('r-roles-read', 'read-only-role', '#internal:read-only', 'roles-read'),
	('r-hooks-read', 'read-only-role', '#internal:read-only', 'hooks-read'),
	('r-logs-read', 'read-only-role', '#internal:read-only', 'logs-read'),
	('r-settings-read', 'read-only-role', '#internal:read-only', 'settings-read')
) AS given
JOIN roles ON roles.id = given.column2 AND roles.name = given.column3
JOIN scopes ON scopes.tenant_id = roles.tenant_id AND scopes.id = given.column4 AND scopes.resource_id = 'management-api'
WHERE true ON CONFLICT DO NOTHING;
