CREATE TABLE `sign_in_places` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`country` text NOT NULL,
	`latitude` real,
	`longitude` real,
	`signed_in_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `country`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "country_length" CHECK(length("country") <= 2)
);
