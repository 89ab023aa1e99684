CREATE TABLE `applications` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`secret` text NOT NULL,
	`description` text,
	`type` text NOT NULL,
	`oidc_client_metadata` text NOT NULL,
	`custom_client_metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 256),
	CONSTRAINT "secret_length" CHECK(length("secret") <= 64),
	CONSTRAINT "type_value" CHECK("type" in ('Native', 'SPA', 'Traditional', 'MachineToMachine'))
);
--> statement-breakpoint
CREATE INDEX `applications_newest` ON `applications` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `connectors` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`sync_profile` integer DEFAULT false NOT NULL,
	`connector_id` text NOT NULL,
	`config` text DEFAULT '{}' NOT NULL,
	`metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 128),
	CONSTRAINT "connector_id_length" CHECK(length("connector_id") <= 128),
	CONSTRAINT "sync_profile_boolean" CHECK("sync_profile" in (0, 1))
);
--> statement-breakpoint
CREATE TABLE `hooks` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`event` text NOT NULL,
	`config` text NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "secret_length" CHECK(length("secret") <= 512),
	CONSTRAINT "event_value" CHECK("event" in ('PostRegister', 'PostSignIn', 'PostResetPassword'))
);
--> statement-breakpoint
CREATE INDEX `hooks_event` ON `hooks` (`tenant_id`,`event`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`hook_id` text,
	`application_id` text,
	`event` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`hook_id`) REFERENCES `hooks`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`application_id`) REFERENCES `applications`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 64),
	CONSTRAINT "event_length" CHECK(length("event") <= 64),
	CONSTRAINT "status_value" CHECK("status" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "outbox_receiver" CHECK(("hook_id" is null) <> ("application_id" is null))
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `outbox_done` ON `outbox` (`created_at`) WHERE status = 'delivered';--> statement-breakpoint
CREATE INDEX `outbox_hook` ON `outbox` (`tenant_id`,`hook_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_application` ON `outbox` (`tenant_id`,`application_id`);--> statement-breakpoint
CREATE TABLE `logs` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`key` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text GENERATED ALWAYS AS (json_extract("payload", '$.userId')) VIRTUAL,
	`application_id` text GENERATED ALWAYS AS (json_extract("payload", '$.applicationId')) VIRTUAL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "key_length" CHECK(length("key") <= 128)
);
--> statement-breakpoint
CREATE INDEX `logs_newest` ON `logs` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `logs_key` ON `logs` (`tenant_id`,`key`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `logs_user` ON `logs` (`tenant_id`,`user_id`,`created_at`,`id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `logs_application` ON `logs` (`tenant_id`,`application_id`,`created_at`,`id`) WHERE application_id is not null;--> statement-breakpoint
CREATE TABLE `service_logs` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "type_length" CHECK(length("type") <= 64)
);
--> statement-breakpoint
CREATE INDEX `service_logs_newest` ON `service_logs` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `oidc_model_instances` (
	`tenant_id` text NOT NULL,
	`model_name` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	`account_id` text GENERATED ALWAYS AS (json_extract("payload", '$.accountId')) VIRTUAL,
	`grant_id` text GENERATED ALWAYS AS (json_extract("payload", '$.grantId')) VIRTUAL,
	`uid` text GENERATED ALWAYS AS (json_extract("payload", '$.uid')) VIRTUAL,
	`user_code` text GENERATED ALWAYS AS (json_extract("payload", '$.userCode')) VIRTUAL,
	`session_uid` text GENERATED ALWAYS AS (json_extract("payload", '$.sessionUid')) VIRTUAL,
	`client_id` text GENERATED ALWAYS AS (json_extract("payload", '$.clientId')) VIRTUAL,
	PRIMARY KEY(`tenant_id`, `model_name`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "model_name_length" CHECK(length("model_name") <= 64),
	CONSTRAINT "id_length" CHECK(length("id") <= 128)
);
--> statement-breakpoint
CREATE INDEX `oidc_model_instances_expires_at` ON `oidc_model_instances` (`expires_at`);--> statement-breakpoint
CREATE INDEX `oidc_model_instances_account_id` ON `oidc_model_instances` (`tenant_id`,`account_id`,`model_name`) WHERE "account_id" is not null;--> statement-breakpoint
CREATE INDEX `oidc_model_instances_grant_id` ON `oidc_model_instances` (`tenant_id`,`grant_id`,`model_name`) WHERE "grant_id" is not null;--> statement-breakpoint
CREATE INDEX `oidc_model_instances_uid` ON `oidc_model_instances` (`tenant_id`,`uid`,`model_name`) WHERE "uid" is not null;--> statement-breakpoint
CREATE INDEX `oidc_model_instances_user_code` ON `oidc_model_instances` (`tenant_id`,`user_code`,`model_name`) WHERE "user_code" is not null;--> statement-breakpoint
CREATE INDEX `oidc_model_instances_session_uid` ON `oidc_model_instances` (`tenant_id`,`session_uid`,`model_name`) WHERE "session_uid" is not null;--> statement-breakpoint
CREATE INDEX `oidc_model_instances_client_id` ON `oidc_model_instances` (`tenant_id`,`client_id`,`model_name`) WHERE "client_id" is not null;--> statement-breakpoint
CREATE TABLE `applications_roles` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`application_id` text NOT NULL,
	`role_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`application_id`) REFERENCES `applications`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `applications_roles_pair_unique` ON `applications_roles` (`tenant_id`,`application_id`,`role_id`);--> statement-breakpoint
CREATE INDEX `applications_roles_role` ON `applications_roles` (`tenant_id`,`role_id`);--> statement-breakpoint
CREATE TABLE `resources` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`indicator` text NOT NULL,
	`access_token_ttl` integer DEFAULT 3600 NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 256),
	CONSTRAINT "indicator_length" CHECK(length("indicator") <= 2048)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `resources_indicator_unique` ON `resources` (`tenant_id`,`indicator`);--> statement-breakpoint
CREATE TABLE `roles` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 128),
	CONSTRAINT "description_length" CHECK(length("description") <= 128)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_name_unique` ON `roles` (`tenant_id`,`name`);--> statement-breakpoint
CREATE TABLE `roles_scopes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`role_id` text NOT NULL,
	`scope_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`scope_id`) REFERENCES `scopes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_scopes_pair_unique` ON `roles_scopes` (`tenant_id`,`role_id`,`scope_id`);--> statement-breakpoint
CREATE INDEX `roles_scopes_scope` ON `roles_scopes` (`tenant_id`,`scope_id`);--> statement-breakpoint
CREATE TABLE `scopes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`resource_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`resource_id`) REFERENCES `resources`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 256)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scopes_name_unique` ON `scopes` (`tenant_id`,`resource_id`,`name`);--> statement-breakpoint
CREATE INDEX `scopes_newest` ON `scopes` (`tenant_id`,`resource_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `users_roles` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`role_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_roles_pair_unique` ON `users_roles` (`tenant_id`,`user_id`,`role_id`);--> statement-breakpoint
CREATE INDEX `users_roles_role` ON `users_roles` (`tenant_id`,`role_id`);--> statement-breakpoint
CREATE TABLE `configs` (
	`tenant_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `key`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "key_length" CHECK(length("key") <= 256)
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`tenant_id` text NOT NULL,
	`key` text NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	`window_start` integer NOT NULL,
	`locked_until` integer,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `key`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "key_length" CHECK(length("key") <= 256)
);
--> statement-breakpoint
CREATE INDEX `counters_expires_at` ON `counters` (`expires_at`);--> statement-breakpoint
CREATE TABLE `custom_phrases` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`language_tag` text NOT NULL,
	`translation` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "language_tag_length" CHECK(length("language_tag") <= 16)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_phrases_language_tag_unique` ON `custom_phrases` (`tenant_id`,`language_tag`);--> statement-breakpoint
CREATE TABLE `sign_in_experiences` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`color` text NOT NULL,
	`branding` text NOT NULL,
	`language_info` text NOT NULL,
	`terms_of_use_url` text,
	`privacy_policy_url` text,
	`sign_in` text NOT NULL,
	`sign_up` text NOT NULL,
	`social_sign_in_connector_targets` text DEFAULT '[]' NOT NULL,
	`sign_in_mode` text DEFAULT 'SignInAndRegister' NOT NULL,
	`custom_css` text,
	`custom_content` text DEFAULT '{}' NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "terms_of_use_url_length" CHECK(length("terms_of_use_url") <= 2048),
	CONSTRAINT "privacy_policy_url_length" CHECK(length("privacy_policy_url") <= 2048),
	CONSTRAINT "sign_in_mode_value" CHECK("sign_in_mode" in ('SignIn', 'Register', 'SignInAndRegister'))
);
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "id_length" CHECK(length("id") <= 21)
);
--> statement-breakpoint
CREATE TABLE `totals` (
	`tenant_id` text NOT NULL,
	`table_name` text NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `table_name`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "table_name_value" CHECK("table_name" in ('applications', 'logs', 'resources', 'roles', 'users'))
);
--> statement-breakpoint
CREATE TABLE `passcodes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`interaction_jti` text,
	`phone` text,
	`email` text,
	`type` text NOT NULL,
	`code` text,
	`consumed` integer DEFAULT false NOT NULL,
	`try_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "interaction_jti_length" CHECK(length("interaction_jti") <= 128),
	CONSTRAINT "phone_length" CHECK(length("phone") <= 32),
	CONSTRAINT "email_length" CHECK(length("email") <= 128),
	CONSTRAINT "code_length" CHECK(length("code") <= 6),
	CONSTRAINT "type_value" CHECK("type" in ('SignIn', 'Register', 'ForgotPassword', 'Continue', 'Generic', 'Test')),
	CONSTRAINT "consumed_boolean" CHECK("consumed" in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `passcodes_interaction` ON `passcodes` (`tenant_id`,`interaction_jti`,`type`);--> statement-breakpoint
CREATE INDEX `passcodes_email` ON `passcodes` (`tenant_id`,lower("email"),`type`);--> statement-breakpoint
CREATE INDEX `passcodes_phone` ON `passcodes` (`tenant_id`,`phone`,`type`);--> statement-breakpoint
CREATE INDEX `passcodes_created_at` ON `passcodes` (`created_at`);--> statement-breakpoint
CREATE TABLE `user_identities` (
	`tenant_id` text NOT NULL,
	`target` text NOT NULL,
	`identity_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `target`, `identity_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "target_length" CHECK(length("target") <= 128),
	CONSTRAINT "identity_id_length" CHECK(length("identity_id") <= 256)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_identities_user` ON `user_identities` (`tenant_id`,`user_id`,`target`);--> statement-breakpoint
CREATE TABLE `users` (
	`search_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`username` text,
	`primary_email` text,
	`primary_phone` text,
	`password_encrypted` text,
	`password_encryption_method` text,
	`name` text,
	`avatar` text,
	`application_id` text,
	`identities` text DEFAULT '{}' NOT NULL,
	`custom_data` text DEFAULT '{}' NOT NULL,
	`is_suspended` integer DEFAULT false NOT NULL,
	`revoked_at` integer,
	`last_sign_in_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 12),
	CONSTRAINT "username_length" CHECK(length("username") <= 128),
	CONSTRAINT "primary_email_length" CHECK(length("primary_email") <= 128),
	CONSTRAINT "primary_phone_length" CHECK(length("primary_phone") <= 128),
	CONSTRAINT "password_encrypted_length" CHECK(length("password_encrypted") <= 512),
	CONSTRAINT "name_length" CHECK(length("name") <= 128),
	CONSTRAINT "avatar_length" CHECK(length("avatar") <= 2048),
	CONSTRAINT "application_id_length" CHECK(length("application_id") <= 21),
	CONSTRAINT "password_encryption_method_value" CHECK("password_encryption_method" in ('Argon2id', 'Argon2i', 'Bcrypt', 'Scrypt', 'PBKDF2', 'SHA256', 'SHA512')),
	CONSTRAINT "is_suspended_boolean" CHECK("is_suspended" in (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`tenant_id`,`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`tenant_id`,lower("primary_email"));--> statement-breakpoint
CREATE UNIQUE INDEX `users_phone_unique` ON `users` (`tenant_id`,`primary_phone`);--> statement-breakpoint
CREATE INDEX `users_newest` ON `users` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_username_lower` ON `users` (`tenant_id`,lower("username"));--> statement-breakpoint
CREATE INDEX `users_name_lower` ON `users` (`tenant_id`,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX `users_id_unique` ON `users` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `verification_statuses` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21)
);
--> statement-breakpoint
CREATE INDEX `verification_statuses_user` ON `verification_statuses` (`tenant_id`,`user_id`);