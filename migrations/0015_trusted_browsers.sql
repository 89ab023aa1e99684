CREATE TABLE `trusted_browsers` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`browser_id` text NOT NULL,
	`id` text NOT NULL,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `browser_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "browser_id_length" CHECK(length("browser_id") <= 21),
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "user_agent_length" CHECK(length("user_agent") <= 256)
);
