CREATE TABLE `former_identifiers` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`value` text NOT NULL,
	`was_held` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `value`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "value_length" CHECK(length("value") <= 256),
	CONSTRAINT "was_held_boolean" CHECK("was_held" in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `former_identifiers_asked` ON `former_identifiers` (`created_at`) WHERE was_held = 0;--> statement-breakpoint
CREATE TABLE `identity_additions` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`target` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `target`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "target_length" CHECK(length("target") <= 128)
);
