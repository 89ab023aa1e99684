CREATE TABLE `dev_messages` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`to` text NOT NULL,
	`channel` text NOT NULL,
	`type` text NOT NULL,
	`code` text NOT NULL,
	`language` text NOT NULL,
	`subject` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "to_length" CHECK(length("to") <= 128),
	CONSTRAINT "type_length" CHECK(length("type") <= 32),
	CONSTRAINT "channel_value" CHECK("channel" in ('email', 'sms'))
);
--> statement-breakpoint
CREATE INDEX `dev_messages_newest` ON `dev_messages` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `dev_messages_to` ON `dev_messages` (`tenant_id`,`to`,`created_at`,`id`);