CREATE TABLE `consents` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`application_id` text NOT NULL,
	`resource` text NOT NULL,
	`scope` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `application_id`, `resource`, `scope`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`application_id`) REFERENCES `applications`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "resource_length" CHECK(length("resource") <= 2048),
	CONSTRAINT "scope_length" CHECK(length("scope") <= 256)
);
--> statement-breakpoint
CREATE INDEX `consents_application` ON `consents` (`tenant_id`,`application_id`);