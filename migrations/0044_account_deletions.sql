CREATE TABLE `account_deletions` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`canceled_at` integer,
	`told_at` integer,
	`origin` text NOT NULL,
	`request_id` text NOT NULL,
	`accept_language` text,
	PRIMARY KEY(`tenant_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "origin_length" CHECK(length("origin") <= 256),
	CONSTRAINT "request_id_length" CHECK(length("request_id") <= 128),
	CONSTRAINT "accept_language_length" CHECK(length("accept_language") <= 256)
);
--> statement-breakpoint
CREATE INDEX `account_deletions_due` ON `account_deletions` (`due_at`) WHERE canceled_at is null;--> statement-breakpoint
CREATE INDEX `account_deletions_canceled` ON `account_deletions` (`canceled_at`) WHERE canceled_at is not null;--> statement-breakpoint
CREATE TABLE `erased_ids` (
	`tenant_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `digest`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "digest_length" CHECK(length("digest") <= 64)
);
--> statement-breakpoint
CREATE TABLE `erasures` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`names` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`place` text,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "place_length" CHECK(length("place") <= 128)
);
--> statement-breakpoint
CREATE INDEX `erasures_next` ON `erasures` (`next_at`);--> statement-breakpoint
ALTER TABLE `notices` ADD `about_at` integer;