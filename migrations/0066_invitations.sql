CREATE TABLE `invitations` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`delivery` text NOT NULL,
	`email` text,
	`names` text NOT NULL,
	`role_ids` text NOT NULL,
	`language` text,
	`lifetime_seconds` integer NOT NULL,
	`sent_digest` text,
	`copied_digest` text,
	`inviter_type` text,
	`inviter_id` text,
	`invited_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`accepted_by` text,
	`accepted_in` text,
	`revoked_at` integer,
	PRIMARY KEY(`tenant_id`, `id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "kind_value" CHECK("kind" in ('administrator', 'user')),
	CONSTRAINT "delivery_value" CHECK("delivery" in ('email', 'link', 'direct')),
	CONSTRAINT "id_length" CHECK(length("id") <= 21),
	CONSTRAINT "email_length" CHECK(length("email") <= 128),
	CONSTRAINT "language_length" CHECK(length("language") <= 16),
	CONSTRAINT "sent_digest_length" CHECK(length("sent_digest") <= 64),
	CONSTRAINT "copied_digest_length" CHECK(length("copied_digest") <= 64),
	CONSTRAINT "inviter_id_length" CHECK(length("inviter_id") <= 128),
	CONSTRAINT "accepted_by_length" CHECK(length("accepted_by") <= 21),
	CONSTRAINT "accepted_in_length" CHECK(length("accepted_in") <= 21)
);
--> statement-breakpoint
CREATE INDEX `invitations_sent` ON `invitations` (`tenant_id`,`sent_digest`) WHERE sent_digest is not null;--> statement-breakpoint
CREATE INDEX `invitations_copied` ON `invitations` (`tenant_id`,`copied_digest`) WHERE copied_digest is not null;--> statement-breakpoint
CREATE INDEX `invitations_newest` ON `invitations` (`tenant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `invitations_expires_at` ON `invitations` (`expires_at`);