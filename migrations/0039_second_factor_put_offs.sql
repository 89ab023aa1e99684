CREATE TABLE `second_factor_put_offs` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`interaction_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `interaction_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "interaction_id_length" CHECK(length("interaction_id") <= 128)
);
