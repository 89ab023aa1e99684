ALTER TABLE `users` ADD `profile` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `profile_updated_at` integer;