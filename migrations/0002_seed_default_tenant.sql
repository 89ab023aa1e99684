-- The rows of a new tenant, for the default tenant, which always exists (spec/storage#tenants). A test holds the two together.
INSERT INTO tenants (id, created_at) VALUES ('default', unixepoch() * 1000) ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO sign_in_experiences (
	tenant_id, id, color, branding, language_info, terms_of_use_url, privacy_policy_url, sign_in, sign_up,
	social_sign_in_connector_targets, sign_in_mode, custom_css, custom_content
) VALUES (
	'default', 'default',
	'{"primaryColor":"#6139F6","isDarkModeEnabled":false,"darkPrimaryColor":"#8768F8"}',
	'{"logoUrl":"/logo.svg","darkLogoUrl":"/logo-dark.svg"}',
	'{"autoDetect":true,"fallbackLanguage":"en"}',
	NULL, NULL,
	'{"methods":[{"identifier":"username","password":true,"verificationCode":false,"isPasswordPrimary":true}]}',
	'{"identifiers":["username"],"password":true,"verify":false}',
	'[]', 'SignInAndRegister', NULL, '{}'
) ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO resources (tenant_id, id, name, indicator, access_token_ttl)
VALUES ('default', 'management-api', 'Management API', 'urn:vestibule:management-api', 3600) ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO scopes (tenant_id, id, resource_id, name, description, created_at)
VALUES ('default', 'management-api-all', 'management-api', 'all', 'Everything the management API can do', unixepoch() * 1000)
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles (tenant_id, id, name, description)
VALUES ('default', 'admin-role', '#internal:admin', 'Administers this tenant through the management API') ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO roles_scopes (tenant_id, id, role_id, scope_id)
VALUES ('default', 'admin-role-all', 'admin-role', 'management-api-all') ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO configs (tenant_id, key, value) VALUES (
	'default', 'adminConsole',
	'{"livePreviewChecked":false,"applicationCreated":false,"signInExperienceCustomized":false,"passwordlessConfigured":false,"communityChecked":false,"furtherReadingsChecked":false,"roleCreated":false,"m2mApplicationCreated":false}'
) ON CONFLICT DO NOTHING;
