CREATE TABLE `backup_codes` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `digest`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "digest_length" CHECK(length("digest") <= 64)
);
--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`tenant_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "secret_length" CHECK(length("secret") <= 256)
);
