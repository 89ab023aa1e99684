CREATE TABLE `address_changes` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`previous` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_by` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "previous_length" CHECK(length("previous") <= 128),
	CONSTRAINT "closed_by_length" CHECK(length("closed_by") <= 21),
	CONSTRAINT "type_value" CHECK("type" in ('email', 'phone'))
);
--> statement-breakpoint
CREATE INDEX `address_changes_user` ON `address_changes` (`tenant_id`,`user_id`,`type`);--> statement-breakpoint
CREATE INDEX `address_changes_created` ON `address_changes` (`created_at`);