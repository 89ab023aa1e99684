CREATE TABLE `passkeys` (
	`tenant_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`user_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`aaguid` text NOT NULL,
	`name` text,
	`rp_id` text NOT NULL,
	`is_backup_eligible` integer NOT NULL,
	`is_backed_up` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`tenant_id`, `credential_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "credential_id_length" CHECK(length("credential_id") <= 1364),
	CONSTRAINT "public_key_length" CHECK(length("public_key") <= 4096),
	CONSTRAINT "transports_length" CHECK(length("transports") <= 512),
	CONSTRAINT "aaguid_length" CHECK(length("aaguid") <= 36),
	CONSTRAINT "name_length" CHECK(length("name") <= 64),
	CONSTRAINT "rp_id_length" CHECK(length("rp_id") <= 253),
	CONSTRAINT "is_backup_eligible_boolean" CHECK("is_backup_eligible" in (0, 1)),
	CONSTRAINT "is_backed_up_boolean" CHECK("is_backed_up" in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`tenant_id`,`user_id`,`created_at`);