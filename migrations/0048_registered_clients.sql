CREATE TABLE `registered_clients` (
	`tenant_id` text NOT NULL,
	`application_id` text NOT NULL,
	`token_digest` text NOT NULL,
	`unused_until` integer,
	PRIMARY KEY(`tenant_id`, `application_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`application_id`) REFERENCES `applications`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "application_id_length" CHECK(length("application_id") <= 21),
	CONSTRAINT "token_digest_length" CHECK(length("token_digest") <= 43)
);
--> statement-breakpoint
CREATE INDEX `registered_clients_unused` ON `registered_clients` (`unused_until`) WHERE unused_until is not null;--> statement-breakpoint
CREATE TABLE `registration_tokens` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`digest` text NOT NULL,
	`uses_left` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "name_length" CHECK(length("name") <= 256),
	CONSTRAINT "digest_length" CHECK(length("digest") <= 43),
	CONSTRAINT "uses_left_counted" CHECK("uses_left" >= 0)
);
--> statement-breakpoint
CREATE INDEX `registration_tokens_digest` ON `registration_tokens` (`tenant_id`,`digest`);--> statement-breakpoint
CREATE INDEX `registration_tokens_expires_at` ON `registration_tokens` (`expires_at`);--> statement-breakpoint
-- A client that a user has allowed something is in use, and stays. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `registered_client_used` AFTER INSERT ON `consents` BEGIN
	UPDATE registered_clients SET unused_until = NULL
	WHERE tenant_id = NEW.tenant_id AND application_id = NEW.application_id AND unused_until IS NOT NULL;
END;
