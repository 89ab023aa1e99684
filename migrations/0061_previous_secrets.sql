ALTER TABLE `applications` ADD `secret_created_at` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `sealed_previous_secret` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `previous_secret_created_at` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `previous_secret_expires_at` integer;--> statement-breakpoint
CREATE INDEX `applications_previous_secret` ON `applications` (`previous_secret_expires_at`) WHERE previous_secret_expires_at is not null;