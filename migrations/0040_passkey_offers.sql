CREATE TABLE `passkey_offers` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`put_off_times` integer NOT NULL,
	`put_off_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
