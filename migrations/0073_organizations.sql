CREATE TABLE `organization_domains` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`domain` text NOT NULL,
	`token` text NOT NULL,
	`join_mode` text DEFAULT 'off' NOT NULL,
	`role_ids` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`verified_at` integer,
	`checked_at` integer,
	`next_check_at` integer,
	`missed_at` integer,
	PRIMARY KEY(`tenant_id`, `organization_id`, `domain`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`) REFERENCES `organizations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "join_mode_value" CHECK("join_mode" in ('off', 'suggest', 'automatic')),
	CONSTRAINT "domain_length" CHECK(length("domain") <= 253),
	CONSTRAINT "token_length" CHECK(length("token") <= 64)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_verified` ON `organization_domains` (`tenant_id`,`domain`) WHERE verified_at is not null;--> statement-breakpoint
CREATE INDEX `organization_domains_next_check_at` ON `organization_domains` (`next_check_at`) WHERE verified_at is not null;--> statement-breakpoint
CREATE TABLE `organization_former_users` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `organization_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`) REFERENCES `organizations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_former_users_user` ON `organization_former_users` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `organization_invitations` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role_ids` text NOT NULL,
	`language` text,
	`digest` text NOT NULL,
	`inviter_type` text NOT NULL,
	`inviter_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`accepted_by` text,
	`accepted_in` text,
	`revoked_at` integer,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`) REFERENCES `organizations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "inviter_type_value" CHECK("inviter_type" in ('member', 'user', 'app')),
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "email_length" CHECK(length("email") <= 128),
	CONSTRAINT "language_length" CHECK(length("language") <= 16),
	CONSTRAINT "digest_length" CHECK(length("digest") <= 64),
	CONSTRAINT "inviter_id_length" CHECK(length("inviter_id") <= 128),
	CONSTRAINT "accepted_by_length" CHECK(length("accepted_by") <= 21),
	CONSTRAINT "accepted_in_length" CHECK(length("accepted_in") <= 21)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_invitations_digest` ON `organization_invitations` (`tenant_id`,`digest`);--> statement-breakpoint
CREATE INDEX `organization_invitations_accepted` ON `organization_invitations` (`tenant_id`,`accepted_by`) WHERE accepted_by is not null;--> statement-breakpoint
CREATE INDEX `organization_invitations_newest` ON `organization_invitations` (`tenant_id`,`organization_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `organization_invitations_open` ON `organization_invitations` (`tenant_id`,`organization_id`,`email`) WHERE accepted_at is null and revoked_at is null;--> statement-breakpoint
CREATE INDEX `organization_invitations_email` ON `organization_invitations` (`tenant_id`,`email`) WHERE accepted_at is null and revoked_at is null;--> statement-breakpoint
CREATE INDEX `organization_invitations_expires_at` ON `organization_invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `organization_application_roles` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`application_id` text NOT NULL,
	`role_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `organization_id`, `application_id`, `role_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`,`application_id`) REFERENCES `organization_applications`(`tenant_id`,`organization_id`,`application_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `organization_roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_application_roles_role` ON `organization_application_roles` (`tenant_id`,`role_id`);--> statement-breakpoint
CREATE TABLE `organization_applications` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`application_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `organization_id`, `application_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`) REFERENCES `organizations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`application_id`) REFERENCES `applications`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_applications_application` ON `organization_applications` (`tenant_id`,`application_id`);--> statement-breakpoint
CREATE TABLE `organization_user_roles` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role_id` text NOT NULL,
	`source` text NOT NULL,
	`source_id` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`tenant_id`, `organization_id`, `user_id`, `role_id`, `source`, `source_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`,`user_id`,`source`,`source_id`) REFERENCES `organization_user_sources`(`tenant_id`,`organization_id`,`user_id`,`source`,`source_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `organization_roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_user_roles_role` ON `organization_user_roles` (`tenant_id`,`role_id`,`organization_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `organization_user_sources` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`source` text NOT NULL,
	`source_id` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `organization_id`, `user_id`, `source`, `source_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`,`user_id`) REFERENCES `organization_users`(`tenant_id`,`organization_id`,`user_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "source_value" CHECK("source" in ('manual', 'invitation', 'domain', 'connection', 'directory')),
	CONSTRAINT "source_id_length" CHECK(length("source_id") <= 21)
);
--> statement-breakpoint
CREATE TABLE `organization_users` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`tenant_id`, `organization_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`) REFERENCES `organizations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_users_user` ON `organization_users` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `organization_users_newest` ON `organization_users` (`tenant_id`,`organization_id`,`created_at`,`user_id`);--> statement-breakpoint
CREATE TABLE `organization_role_resource_scopes` (
	`tenant_id` text NOT NULL,
	`role_id` text NOT NULL,
	`scope_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `role_id`, `scope_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `organization_roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`scope_id`) REFERENCES `scopes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_role_resource_scopes_scope` ON `organization_role_resource_scopes` (`tenant_id`,`scope_id`);--> statement-breakpoint
CREATE TABLE `organization_role_scopes` (
	`tenant_id` text NOT NULL,
	`role_id` text NOT NULL,
	`scope_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `role_id`, `scope_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`role_id`) REFERENCES `organization_roles`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`scope_id`) REFERENCES `organization_scopes`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_role_scopes_scope` ON `organization_role_scopes` (`tenant_id`,`scope_id`);--> statement-breakpoint
CREATE TABLE `organization_roles` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`permissions` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 128),
	CONSTRAINT "description_length" CHECK(length("description") <= 256)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_roles_name_unique` ON `organization_roles` (`tenant_id`,`name`);--> statement-breakpoint
CREATE TABLE `organization_scopes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 256),
	CONSTRAINT "description_length" CHECK(length("description") <= 256)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_scopes_name_unique` ON `organization_scopes` (`tenant_id`,`name`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`custom_data` text DEFAULT '{}' NOT NULL,
	`policy` text DEFAULT '{}' NOT NULL,
	`brand` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 128),
	CONSTRAINT "description_length" CHECK(length("description") <= 256),
	CONSTRAINT "created_by_length" CHECK(length("created_by") <= 21)
);
--> statement-breakpoint
CREATE INDEX `organizations_newest` ON `organizations` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `organizations_brand_picture` ON `organizations` (`tenant_id`) WHERE instr(brand, '/assets/brand/') > 0;--> statement-breakpoint
CREATE INDEX `organizations_second_factor` ON `organizations` (`tenant_id`,policy ->> '$.secondFactor') WHERE policy ->> '$.secondFactor' is not null;--> statement-breakpoint
CREATE INDEX `organizations_created_by` ON `organizations` (`tenant_id`,`created_by`) WHERE created_by is not null;--> statement-breakpoint
ALTER TABLE `logs` ADD `organization_id` text GENERATED ALWAYS AS (json_extract("payload", '$.organizationId')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `logs_organization` ON `logs` (`tenant_id`,`organization_id`,`created_at`,`id`) WHERE organization_id is not null;--> statement-breakpoint

-- A domain must not make users members again who left or were removed, however their membership ended. Nothing is
-- recorded if the user or the organisation was deleted.
CREATE TRIGGER `organization_users_former` AFTER DELETE ON `organization_users`
WHEN EXISTS (SELECT 1 FROM organizations WHERE tenant_id = OLD.tenant_id AND id = OLD.organization_id)
	AND EXISTS (SELECT 1 FROM users WHERE tenant_id = OLD.tenant_id AND id = OLD.user_id)
BEGIN
	INSERT INTO organization_former_users (tenant_id, organization_id, user_id)
	VALUES (OLD.tenant_id, OLD.organization_id, OLD.user_id) ON CONFLICT DO NOTHING;
END;
